/** How a place is found by its words. Runs in the browser too: no I/O here. */
import { foldText } from '../../companies/company.ts'
import type { JobLocation } from '../job.ts'
import { COUNTRY_CODES, countries } from '../postings/job-countries.ts'

/** "München" and " MUNCHEN" are one city. */
const foldCity = (city: string) => foldText(city).replace(/\s+/g, ' ').trim()

/** What a job's places are found by; a remote job is found by the countries from where it can be done. */
export function locationKeys(places: JobLocation[], remoteRegions: string[]): string[] {
  const keys = places.flatMap(({ city, country }) => {
    const folded = foldCity(city)
    return [`p:${folded}`, `k:${country}`, `b:${folded}:${country}`]
  })
  return [...new Set([...keys, ...remoteRegions.map((code) => `k:${code}`)])]
}

/**
 * The key that a job must have to be in the place: "Berlin", "Germany", "DE", "Berlin, Germany". What
 * is no country is a city. Null for no words.
 */
export function wantedLocationKey(place: string): string | null {
  const whole = foldCity(place.replaceAll('\0', ' '))
  if (whole === '') return null
  const country = countryIn(whole)
  if (country !== undefined) return `k:${country}`
  const comma = whole.lastIndexOf(',')
  const state = comma > 0 ? countryIn(whole.slice(comma + 1).trim()) : undefined
  return state === undefined ? `p:${whole}` : `b:${whole.slice(0, comma).trim()}:${state}`
}

/** What people say beside the names that the browser knows. */
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

let known: Map<string, string> | undefined

/** The code of a country by its name or code: "Germany", "de"; undefined for none. */
export const countryCodeOf = (words: string) => countryIn(foldCity(words))

/** @param folded as `foldCity` leaves it */
function countryIn(folded: string): string | undefined {
  known ??= new Map([
    ...countries().map(({ code, name }) => [foldText(name), code] as const),
    ...Object.entries(OTHER_NAMES),
    ...COUNTRY_CODES.map((code) => [code.toLowerCase(), code] as const),
  ])
  return known.get(folded)
}
