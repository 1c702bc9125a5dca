// Make elements; text goes in as text, never as markup.

export const $ = (id) => document.getElementById(id);

/** An element with properties and children; strings become text. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** A link, when `url` is one that a browser may follow; else the bare words. */
export function link(url, words, properties = {}) {
  const followed = typeof url === "string" && /^https?:\/\//i.test(url);
  return followed ? make("a", { href: url, target: "_blank", rel: "noopener noreferrer", ...properties }, words) : make("span", {}, words);
}
