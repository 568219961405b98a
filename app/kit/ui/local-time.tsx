/** A moment by the reader's own clock. A page whose reader isn't known yet says it in UTC. */
import { useSyncExternalStore } from 'react'

const inWords = (iso: string, timeZone?: string) =>
  new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', timeZone })

/** @param iso such as 2026-03-14T09:26Z */
export function LocalTime({ iso }: { iso: string }) {
  const isHere = useSyncExternalStore(neverChanges, inBrowser, onServer)
  return <time dateTime={iso}>{isHere ? inWords(iso) : `${inWords(iso, 'UTC')} UTC`}</time>
}

const neverChanges = () => () => {}
const inBrowser = () => true
const onServer = () => false
