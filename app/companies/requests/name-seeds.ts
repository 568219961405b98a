/** Where to look for companies that may be the requested one. Runs in the browser too: no I/O here. */
import { foldText } from '#app/kit/writing/text.ts'

/** Forms of companies, which one writes and another leaves out. */
const FORMS = new Set(
  `ab ag as bv co company corp corporation gmbh group holding holdings inc incorporated kg limited
   llc llp ltd nv oy plc pty sa sarl se spa srl the`.split(/\s+/),
)
/** A first word that is shorter begins too many names. */
const FIRST_WORD_MIN = 4

export interface NameSeeds {
  /** The whole name, folded. */
  name: string
  /** Without what only says that it is a company; the whole where nothing else is left. */
  core: string
  /** Of the website, without `www.`; null where there is none. */
  host: string | null
  /** The beginnings around which names lie that may be meant. */
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
