/** Where to look for a requested company among existing ones. Runs in the browser too: no I/O here. */
import { foldText } from '#app/kit/writing/text.ts'

/** Legal forms, which are often left out. */
const FORMS = new Set(
  `ab ag as bv co company corp corporation gmbh group holding holdings inc incorporated kg limited
   llc llp ltd nv oy plc pty sa sarl se spa srl the`.split(/\s+/),
)
/** Shorter first words begin too many names. */
const FIRST_WORD_MIN = 4

export interface NameSeeds {
  /** Folded. */
  name: string
  /** Without legal forms, unless nothing else is left. */
  core: string
  /** The website's, without `www.`; null without one. */
  host: string | null
  /** Beginnings near which similar names sort. */
  seeds: string[]
}

export function nameSeeds(companyName: string, website: string | null): NameSeeds {
  const name = foldText(companyName)
  const words = name.split(/[^\p{L}\p{N}&.'-]+/u).filter(Boolean)
  const distinctive = words.filter((word) => !FORMS.has(word.replaceAll('.', '')))
  const core = distinctive.join(' ') || name
  const host = website === null ? null : hostOf(website)
  const [first = ''] = distinctive
  const seeds = [
    name,
    core,
    ...(first.length >= FIRST_WORD_MIN ? [first] : []),
    ...(host ? [host.split('.')[0] ?? ''] : []),
  ]
  return { name, core, host, seeds: [...new Set(seeds)].filter(Boolean) }
}

const hostOf = (website: string) =>
  URL.canParse(website) ? new URL(website).hostname.replace(/^www\./, '') : null
