/** Atom (RFC 4287): newest posts as a feed reader takes them. No I/O here. */

export interface Feed {
  title: string
  /** Where the feed itself is; also its id. */
  self: string
  /** The page with the same posts. */
  page: string
  entries: Entry[]
}

export interface Entry {
  /** A UUID: the same wherever the site lives. */
  id: string
  title: string
  link: string
  /** ISO, to the minute: "2026-03-14T09:26Z". */
  postedAt: string
  author: string
  topics: { slug: string; name: string }[]
  html: string
}

/** A feed without entries must have been updated some time. */
const NEVER = '1970-01-01T00:00Z'

export function atomFeed({ title, self, page, entries }: Feed): string {
  const updated = entries.map(({ postedAt }) => postedAt).sort()
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escaped(self)}</id>
  <title>${escaped(title)}</title>
  <updated>${withSeconds(updated.at(-1) ?? NEVER)}</updated>
  <link rel="self" type="application/atom+xml" href="${escaped(self)}"/>
  <link rel="alternate" type="text/html" href="${escaped(page)}"/>
${entries.map(atomEntry).join('')}</feed>
`
}

const atomEntry = ({ id, title, link, postedAt, author, topics, html }: Entry) => `  <entry>
    <id>urn:uuid:${escaped(id)}</id>
    <title>${escaped(title)}</title>
    <link rel="alternate" type="text/html" href="${escaped(link)}"/>
    <published>${withSeconds(postedAt)}</published>
    <updated>${withSeconds(postedAt)}</updated>
    <author><name>${escaped(author)}</name></author>
${topics.map(({ slug, name }) => `    <category term="${escaped(slug)}" label="${escaped(name)}"/>\n`).join('')}    <content type="html">${escaped(html)}</content>
  </entry>
`

/** The format asks for seconds, which nobody knows. */
const withSeconds = (minute: string) => minute.replace(/Z$/, ':00Z')

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What XML 1.0 cannot hold, not even escaped, goes: halves of a character among it. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string) =>
  text.replace(NOT_XML, '').replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)
