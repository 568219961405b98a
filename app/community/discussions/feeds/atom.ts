/** Atom (RFC 4287) for feed readers. */

export interface Feed {
  title: string
  self: string
  page: string
  entries: Entry[]
}

export interface Entry {
  /** A UUID, which stays if the site moves. */
  id: string
  title: string
  link: string
  /** ISO, to the minute: "2026-03-14T09:26Z". */
  postedAt: string
  author: string
  topics: { slug: string; name: string }[]
  html: string
}

/** Atom requires a date, even without entries. */
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

/** Atom requires seconds, and we don't store any. */
const withSeconds = (minute: string) => minute.replace(/Z$/, ':00Z')

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What XML 1.0 can't hold even escaped, such as half of a surrogate pair. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string) =>
  text.replace(NOT_XML, '').replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)
