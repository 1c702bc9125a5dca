// Results as cards, with the facts that a visitor of that kind of site looks for.

import { link, make } from "./dom.js";
import { language, text, written } from "./words.js";

export function card(item) {
  return make("li", { lang: written(`${item.name}${item.description}`) },
    make("h3", {}, link(item.url, item.name)),
    make("p", {}, item.description ?? ""),
    make("div", { className: "facts" }, ...facts(item.schema_object ?? {})),
  );
}

function facts(thing) {
  const { offers, totalTime, aggregateRating: rating, nutrition } = thing;
  const offer = Array.isArray(offers) ? offers[0] : offers;
  return [
    offer?.price !== undefined && make("span", { className: "strong" }, price(offer)),
    totalTime && make("span", { className: "strong" }, duration(totalTime)),
    rating?.ratingValue && make("span", {}, `★ ${rating.ratingValue}${stars(rating)}`),
    nutrition?.calories && make("span", {}, nutrition.calories),
  ].filter(Boolean);
}

function price({ price: amount, priceCurrency: currency }) {
  const number = Number(amount);
  try {
    return number.toLocaleString(language, { style: "currency", currency, currencyDisplay: "narrowSymbol" });
  } catch {
    return `${amount} ${currency ?? ""}`.trim();
  }
}

function stars({ ratingCount, reviewCount }) {
  const count = ratingCount ?? reviewCount;
  return count ? ` (${count})` : "";
}

/** `PT1H10M` as `1 h 10 min`; what is no ISO 8601 duration stays as it is. */
function duration(iso) {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:[\d.]+S)?)?$/.exec(iso);
  if (!match) return iso;
  const hours = Number(match[1] ?? 0) * 24 + Number(match[2] ?? 0);
  const minutes = Number(match[3] ?? 0);
  return [hours && `${hours} ${text("hours")}`, minutes && `${minutes} ${text("minutes")}`].filter(Boolean).join(" ");
}
