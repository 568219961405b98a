/** Search keys of locations. Runs in the browser too: no I/O here. */

import { countryCodeOf } from '#app/kit/writing/countries.ts'
import { foldText } from '#app/kit/writing/text.ts'
import type { JobLocation } from '../job.ts'

/** "München" and " MUNCHEN" are the same city. */
const foldCity = (city: string) => foldText(city).replace(/\s+/g, ' ').trim()

/** City, country and both; a remote job also has the countries it can be done from. */
export function locationKeys(places: JobLocation[], remoteRegions: string[]): string[] {
  const keys = places.flatMap(({ city, country }) => {
    const folded = foldCity(city)
    return [`p:${folded}`, `k:${country}`, `b:${folded}:${country}`]
  })
  return [...new Set([...keys, ...remoteRegions.map((code) => `k:${code}`)])]
}

/** The key that a matching job has: for "Berlin", "Germany", "DE", "Berlin, Germany". Null if blank. */
export function wantedLocationKey(place: string): string | null {
  const whole = foldCity(place.replaceAll('\0', ' '))
  if (whole === '') return null
  const country = countryCodeOf(whole)
  if (country !== undefined) return `k:${country}`
  const comma = whole.lastIndexOf(',')
  const state = comma > 0 ? countryCodeOf(whole.slice(comma + 1).trim()) : undefined
  return state === undefined ? `p:${whole}` : `b:${whole.slice(0, comma).trim()}:${state}`
}
