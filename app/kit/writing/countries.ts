/** The countries of ISO 3166-1, and Kosovo, under the code that others use. No I/O here. */
import { foldText } from './text.ts'

const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS ' +
  'BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE ' +
  'EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM ' +
  'HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC ' +
  'LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA ' +
  'NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO ' +
  'TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'

export const COUNTRY_CODES: readonly string[] = /* @__PURE__ */ CODES.split(' ')

export interface Country {
  code: string
  name: string
}

/** Two letters for which the browser knows a country. */
export function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined
  return new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code)
}

let known: Country[] | undefined

export function countries(): Country[] {
  known ??= COUNTRY_CODES.map((code) => ({ code, name: countryName(code) ?? code })).sort(
    (one, other) => one.name.localeCompare(other.name, 'en'),
  )
  return known
}

/** Other names that people use. */
const OTHER_NAMES: Record<string, string> = {
  usa: 'US',
  'united states of america': 'US',
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  england: 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  turkey: 'TR',
  uae: 'AE',
}

let codes: Map<string, string> | undefined

/** A country's code by its name or code: "Germany", "de". */
export function countryCodeOf(words: string): string | undefined {
  codes ??= new Map([
    ...countries().map(({ code, name }) => [foldText(name), code] as const),
    ...Object.entries(OTHER_NAMES),
    ...COUNTRY_CODES.map((code) => [code.toLowerCase(), code] as const),
  ])
  return codes.get(foldText(words).replace(/\s+/g, ' ').trim())
}
