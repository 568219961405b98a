import { type CheerioAPI, load } from 'cheerio'
import { Parser } from 'htmlparser2'

/** Real pages stay below 100. Parsing time grows with the square of the depth. */
const DEPTH_MAX = 500

/** Parses another site's page, up to where it's nested deeper than any real one. */
export const parsePage = (html: string): CheerioAPI => load(html.slice(0, saneLength(html)))

function saneLength(html: string) {
  let depth = 0
  let end = html.length
  const parser = new Parser({
    onopentag() {
      depth++
      if (depth <= DEPTH_MAX) return
      end = parser.startIndex
      parser.pause()
    },
    onclosetag() {
      depth--
    },
  })
  parser.write(html)
  return end
}
