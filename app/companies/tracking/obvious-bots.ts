/** Programs that say what they are. No I/O here: what a browser calls itself is kept nowhere. */

const NAMES =
  /bot\b|bots?[/;_-]|crawl|spider|slurp|preview|headless|lighthouse|monitor|uptime|scan|fetch|curl|wget|python|java\/|go-http|okhttp|axios|libwww|httpclient|facebookexternalhit|embedly|whatsapp/i

/** Without a name it is no browser either. */
export const isObviousBot = (userAgent: string | undefined) => !userAgent || NAMES.test(userAgent)
