/** Pages of other people's sites, parsed so that none of them can stop ours. */
import { type CheerioAPI, load } from 'cheerio'
import { Parser } from 'htmlparser2'

/** Real pages stay below 100. The time that parsing takes grows with the square of the depth. */
const DEPTH_MAX = 500

/** The page; of one that is nested deeper than any real one, what comes before that. */
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
