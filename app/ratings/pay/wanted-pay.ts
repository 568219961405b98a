/** What someone looks for who types "pay nurse berlin". Runs in the browser: no I/O here. */
import { foldedWords } from '#app/companies/search/company-keys.ts'
import { COUNTRY_CODES } from '#app/kit/writing/countries.ts'
import { areaName, areasIn, isCity } from './areas.ts'
import { titleName, titlesLike } from './titles.ts'

export interface WantedPay {
  title: string
  area?: string
  /** "Nurse in Berlin, Germany". */
  name: string
}

const FILLERS = new Set('a an as at do does for how i in is much of the what would'.split(' '))

/**
 * @param words all that was typed but the one that asks about pay. Null if some of them are neither a title's nor a
 * place's, because they may be a company's
 */
export function wantedPay(words: readonly string[]): WantedPay | null {
  const named = words.filter((word) => !FILLERS.has(word))
  const place = placeIn(named)
  const [title] = titleOf(place ? named.filter((word) => !place.words.includes(word)) : named)
  if (title && place)
    return { title, area: place.key, name: `${titleName(title)} in ${areaName(place.key)}` }
  // The place may be part of the title.
  const [only] = titleOf(named)
  return only ? { title: only, name: titleName(only) } : null
}

const titleOf = (words: string[]) =>
  words.length > 0 ? titlesLike(words.join(' ')).map(({ key }) => key) : []

/** The area that most of the words name. */
function placeIn(words: readonly string[]) {
  let best: { key: string; words: string[] } | undefined
  for (const { key, words: place } of places())
    if (place.length > (best?.words.length ?? 0) && place.every((word) => words.includes(word)))
      best = { key, words: place }
  return best
}

let known: { key: string; words: string[] }[] | undefined

function places() {
  known ??= COUNTRY_CODES.flatMap((country) =>
    areasIn(country)
      .filter(({ key }) => isCity(key))
      .map(({ key, name }) => ({ key, words: foldedWords(name) })),
  )
  return known
}
