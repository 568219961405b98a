/** What a site asks of programs that read it: its robots.txt, as RFC 9309 reads it. No I/O here. */

interface Rule {
  isAllowed: boolean
  pattern: string
}

/** What a site asks of one program. */
export interface RobotsRules {
  rules: Rule[]
  /** Seconds to wait between two requests; not in the RFC, but many sites say it. */
  crawlDelay: number | undefined
}

/** Lines beyond are nobody's rules. */
const LINES_MAX = 20_000

/** A file that is not there asks for nothing. RFC 9309 §2.3.1.3 */
export const ALL_ALLOWED: RobotsRules = { rules: [], crawlDelay: undefined }
/** Who cannot say what they ask for is left alone. RFC 9309 §2.3.1.4 */
export const NONE_ALLOWED: RobotsRules = {
  rules: [{ isAllowed: false, pattern: '/' }],
  crawlDelay: undefined,
}

/**
 * The rules for `program`: of every group that names it, else of those for everybody.
 * @param program the product token of our user agent, such as "KettleBot"
 */
export function robotsRules(text: string, program: string): RobotsRules {
  const groups: { names: string[]; said: RobotsRules }[] = []
  let isNaming = false
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/, LINES_MAX)) {
    const [, key = '', value = ''] = /^\s*([^:#]+?)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? []
    const word = key.toLowerCase()
    if (word === 'user-agent') {
      if (!isNaming) groups.push({ names: [], said: { rules: [], crawlDelay: undefined } })
      groups.at(-1)?.names.push(tokenOf(value))
      isNaming = true
      continue
    }
    const group = groups.at(-1)
    if (word === 'allow' || word === 'disallow') {
      isNaming = false
      // An empty pattern matches nothing.
      if (value) group?.said.rules.push({ isAllowed: word === 'allow', pattern: normalPath(value) })
    } else if (word === 'crawl-delay' && group) {
      isNaming = false
      const seconds = Number(value)
      if (value && seconds >= 0) group.said.crawlDelay ??= seconds
    }
  }
  const token = program.toLowerCase()
  const own = groups.filter(({ names }) => names.includes(token))
  const chosen = own.length > 0 ? own : groups.filter(({ names }) => names.includes('*'))
  return {
    rules: chosen.flatMap(({ said }) => said.rules),
    crawlDelay: chosen.find(({ said }) => said.crawlDelay !== undefined)?.said.crawlDelay,
  }
}

/** Whether they let us read `url`: the longest pattern decides, and between equals the kinder one. */
export function isLetIn({ rules }: RobotsRules, url: string): boolean {
  const { pathname, search } = new URL(url)
  if (pathname === '/robots.txt') return true
  const path = normalPath(pathname + search)
  let best: Rule | undefined
  for (const rule of rules) {
    if (!matches(rule.pattern, path)) continue
    const longer = rule.pattern.length - (best?.pattern.length ?? -1)
    if (longer > 0 || (longer === 0 && rule.isAllowed)) best = rule
  }
  return best?.isAllowed ?? true
}

/** "KettleBot/1.0" is "kettlebot". */
const tokenOf = (name: string) =>
  name.startsWith('*') ? '*' : (/^[a-z_-]*/i.exec(name)?.[0] ?? '').toLowerCase()

/** `*` is any characters, a `$` at the end is the end. Never looks back, so no pattern is slow. */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$')
  const [first = '', ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = parts.pop()
  if (last === undefined) return !isAnchored || path.length === at
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return isAnchored
    ? path.length - last.length >= at && path.endsWith(last)
    : path.indexOf(last, at) >= 0
}

/** One spelling for each path: what needs no escape has none, what needs one has capitals. */
const normalPath = (path: string) =>
  path
    .replace(/[^\x21-\x7e]+/gu, (letters) =>
      encodeURIComponent(letters.replace(/\p{Cs}/gu, '\ufffd')),
    )
    .replace(/%[0-9a-f]{2}/gi, (triplet) => {
      const letter = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
      return /[\w.~-]/.test(letter) ? letter : triplet.toUpperCase()
    })
