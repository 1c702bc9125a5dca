"""What may be asked and what may not, in every disguise; and that the address that was judged is the one that is asked."""

import logging
import ssl
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import anyio
import anyio.streams.tls
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pegboard.errors import CallRefused, UpstreamFailed
from pegboard.net.addresses import PUBLIC, Address, kind_of
from pegboard.net.client import client
from pegboard.net.exchange import Request, Response
from pegboard.net.policy import Policy
from pegboard.net.redirect import followed
from pegboard.net.target import target_of
from tests.net.faulty import Wire, faulty

LOOPBACK = Policy((ip_network("127.0.0.0/8"), ip_network("::1/128")))


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("8.8.8.8", PUBLIC), ("2606:4700::1111", PUBLIC), ("64:ff9b::808:808", PUBLIC), ("::ffff:8.8.8.8", PUBLIC),
        ("127.0.0.1", "loopback"), ("127.255.255.254", "loopback"), ("::1", "loopback"), ("::ffff:127.0.0.1", "loopback"),
        ("10.1.2.3", "private"), ("172.16.0.1", "private"), ("172.31.255.255", "private"), ("192.168.1.1", "private"),
        ("fd00:ec2::254", "private"), ("64:ff9b::a9fe:a9fe", "link-local"), ("64:ff9b::7f00:1", "loopback"),
        ("169.254.169.254", "link-local"), ("::ffff:169.254.169.254", "link-local"), ("fe80::1", "link-local"),
        ("100.64.0.1", "carrier-grade NAT"), ("100.100.100.200", "carrier-grade NAT"),
        ("168.63.129.16", "a cloud's own service"), ("192.0.0.192", "protocol assignments"),
        ("0.0.0.0", "unspecified"), ("0.1.2.3", "unspecified"), ("::", "unspecified"), ("::127.0.0.1", "IPv4-compatible"),
        ("224.0.0.1", "multicast"), ("ff02::1", "multicast"), ("240.0.0.1", "reserved"), ("255.255.255.255", "reserved"),
        ("198.18.0.1", "benchmarking"), ("203.0.113.7", "documentation"), ("2001:db8::1", "documentation"),
        ("2002:7f00:1::", "6to4"), ("2001:0:4136:e378:8000:63bf:80ff:fffe", "Teredo"), ("64:ff9b:1::7f00:1", "local NAT64"),
        ("2606:4700::5efe:7f00:1", "ISATAP"), ("2606:4700::200:5efe:a00:1", "ISATAP"), ("fec0::1", "site-local"),
        ("4000::1", "reserved"),
    ],
)  # fmt: skip
def test_an_address_is_of_the_kind_that_it_leads_to(address: str, kind: str) -> None:
    assert kind_of(ip_address(address)) == kind


@given(st.one_of(st.integers(0, 2**32 - 1).map(IPv4Address), st.integers(0, 2**128 - 1).map(IPv6Address)))
@example(IPv6Address("64:ff9b::808:808"))
def test_what_is_public_is_global_by_the_standard_library_too(address: Address) -> None:
    if kind_of(address) == PUBLIC and address not in ip_network("64:ff9b::/96"):
        inner = address.ipv4_mapped or address if isinstance(address, IPv6Address) else address
        assert inner.is_global
        assert not inner.is_multicast


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://a.example/", "does not begin with http"), ("file:///etc/passwd", "does not begin with http"),
        ("gopher://a.example", "does not begin with http"), ("//a.example/", "does not begin with http"),
        ("http:/a.example", "does not begin with http"), ("", "does not begin with http"),
        ("http://user:secret@a.example/", "names a user"), ("http://a.example@127.0.0.1/", "names a user"),
        ("http://a.example\\@127.0.0.1/", "not encoded"), ("http://a.example/\r\nHost: b", "not encoded"),
        ("http://a.example/a b", "not encoded"), ("http://a.example/é", "not encoded"),
        ("http://a\t.example/", "not encoded"), ("http:// a.example/", "not encoded"),
        ("http://0177.0.0.1/", "in disguise"), ("http://2130706433/", "in disguise"), ("http://0x7f.1/", "in disguise"),
        ("http://0x7f000001/", "in disguise"), ("http://127.1/", "in disguise"), ("http://127.0.0.1.0x0/", "in disguise"),
        ("http://017700000001/", "in disguise"), ("http://1.2.3.4.5/", "in disguise"), ("http://a.example.1/", "in disguise"),
        ("http://[fe80::1%25eth0]/", "plain IPv6"), ("http://[::1", "cannot be read"), ("http://[127.0.0.1]/", "cannot be read"),
        ("http:///path", "no host name"), ("http://a%2eexample/", "no host name"), ("http://a..example/", "empty label"),
        ("http://a.example:99999/", "cannot be read"), ("http://a.example:0/", "its port is 0"),
        ("http://a.example:8o/", "cannot be read"), ("http://-a.example/", "has the label"),
        ("http://ａ/" + "x" * 20_000, "characters"),
    ],
)  # fmt: skip
def test_an_address_that_two_readers_could_understand_differently_is_refused(url: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        target_of(url)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://１２７.0.0.1/", "127.0.0.1"), ("http://①②⑦.0.0.1/", "127.0.0.1"), ("http://127。0。0。1/", "127.0.0.1"),
        ("http://LOCALHOST./", "localhost"), ("http://bücher.example/", "xn--bcher-kva.example"),
        ("https://[2606:4700:0:0::1111]:8443/a?b=c#d", "2606:4700::1111"),
    ],
)  # fmt: skip
def test_a_host_has_one_spelling(url: str, host: str) -> None:
    assert target_of(url).host == host


@given(st.text(max_size=60))
def test_any_text_is_an_address_that_reads_the_same_again_or_refused(text: str) -> None:
    for url in (text, f"http://{text}", f"https://a.example/{text}"):
        try:
            target = target_of(url)
        except ValueError:
            continue
        assert target.host.isascii()
        assert target_of(f"{target.scheme}://{target.authority}{target.path}") == target


@pytest.mark.parametrize(
    ("host", "address", "is_foreign", "is_refused"),
    [
        ("127.0.0.1", "127.0.0.1", False, False), ("10.0.0.5", "10.0.0.5", False, False),
        ("localhost", "127.0.0.1", False, False), ("localhost", "10.0.0.5", False, True),
        ("169.254.169.254", "169.254.169.254", False, True), ("fe80::1", "fe80::1", False, True),
        ("0.0.0.0", "0.0.0.0", False, True), ("100.64.0.1", "100.64.0.1", False, True),
        ("a.example", "127.0.0.1", False, True), ("a.example", "10.0.0.5", False, True), ("a.example", "8.8.8.8", False, False),
        ("127.0.0.1", "127.0.0.1", True, True), ("10.0.0.5", "10.0.0.5", True, True), ("localhost", "::1", True, True),
        ("a.example", "8.8.8.8", True, False),
    ],
)  # fmt: skip
def test_only_a_declaration_that_spells_a_local_address_is_taken_at_its_word(
    host: str, address: str, is_foreign: bool, is_refused: bool
) -> None:
    assert bool(Policy().refusal(host, 443, [ip_address(address)], is_foreign=is_foreign)) is is_refused


def test_what_the_operator_allows_is_reached_at_any_port_and_nothing_beside_it() -> None:
    policy = Policy((ip_network("10.1.0.0/16"),))
    inside, mapped, outside = (ip_address(each) for each in ("10.1.2.3", "::ffff:10.1.2.3", "10.2.0.1"))
    assert policy.refusal("a.example", 8080, [inside, mapped], is_foreign=True) == ""
    assert "10.2.0.1 (private)" in policy.refusal("a.example", 80, [inside, outside], is_foreign=True)
    assert "port 22" in policy.refusal("a.example", 22, [ip_address("8.8.8.8")], is_foreign=True)
    assert "no address" in policy.refusal("a.example", 80, [], is_foreign=False)


async def sent(url: str, policy: Policy = LOOPBACK, *, redirects: int = 0, is_foreign: bool = True) -> Response:
    async with client(policy) as http:
        with anyio.fail_after(10):
            return await http.send(Request("GET", url, is_foreign=is_foreign), timeout_seconds=5, redirects=redirects)


async def test_a_name_that_leads_to_loopback_is_asked_only_where_that_is_allowed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with faulty() as server:
        url = server.url.replace("127.0.0.1", "localhost") + "/echo"
        with caplog.at_level(logging.WARNING), pytest.raises(CallRefused) as refused:
            await sent(url, Policy())
        assert server.asked == []
        response = await sent(url, Policy((ip_network("127.0.0.0/8"), ip_network("::1/128"))))
        assert response.status == 200
        assert server.asked[0].header("host") == url.removeprefix("http://").removesuffix("/echo")
    assert str(refused.value) == "The address is none that this server asks; its log says why."
    assert "(loopback), which the setting allow_networks does not hold" in caplog.text


async def test_a_redirect_is_judged_as_an_address_of_its_own() -> None:
    async def elsewhere(wire: Wire) -> None:
        await wire.reply(status=302, location=other.url + "/echo")

    async with faulty() as other, faulty(elsewhere=elsewhere) as server:
        with pytest.raises(CallRefused):
            await sent(server.url + "/elsewhere", Policy(), redirects=1, is_foreign=False)
        assert other.asked == []
        assert (await sent(server.url + "/elsewhere", redirects=1)).url == other.url + "/echo"
        assert (await sent(server.url + "/elsewhere", redirects=0)).status == 302


REQUEST = Request(
    "POST",
    "https://a.example/v1/x",
    (("Authorization", "Bearer hush"), ("X-Own", "1"), ("Accept", "a/b"), ("Content-Type", "t/t")),
    b"body",
    ("hush",),
)


def redirected(status: int, location: str, request: Request = REQUEST) -> Request:
    return followed(request, Response(status, (("location", location),), b""))


def test_a_redirect_within_a_service_keeps_what_was_declared() -> None:
    assert redirected(307, "/y") == Request("POST", "https://a.example/y", REQUEST.headers, b"body", ("hush",))
    seen = redirected(303, "y?q=1#f")
    assert (seen.method, seen.url, seen.body, seen.is_foreign) == ("GET", "https://a.example/v1/y?q=1", None, False)
    assert ("Content-Type", "t/t") not in seen.headers


@pytest.mark.parametrize("url", ["https://b.example/", "https://a.example:8443/", "//b.example/x"])
def test_to_another_service_go_neither_secrets_nor_a_body(url: str) -> None:
    seen = redirected(302, url)
    assert (seen.headers, seen.body, seen.is_foreign) == ((("Accept", "a/b"),), None, True)
    with pytest.raises(ValueError, match="would get what was sent"):
        redirected(307, url)


@pytest.mark.parametrize(
    "url", ["http://a.example/", "javascript:alert(1)", "", "http://a.example\\@b/", "https://u@a.example/"]
)
def test_a_redirect_that_leads_nowhere_fit_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        redirected(302, url)


async def test_tls_asks_for_the_name_and_not_for_the_address() -> None:
    names: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def note(socket: ssl.SSLSocket | ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> int:
        names.append(name)
        return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME

    context.sni_callback = note
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")

    async def greet(stream: anyio.abc.SocketStream) -> None:
        with pytest.raises((ssl.SSLError, anyio.BrokenResourceError, anyio.EndOfStream)):
            await anyio.streams.tls.TLSStream.wrap(stream, server_side=True, ssl_context=context)
        await stream.aclose()

    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, greet)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        with pytest.raises(UpstreamFailed):
            await sent(f"https://localhost:{port}/")
        group.cancel_scope.cancel()
    assert names == ["localhost"]
