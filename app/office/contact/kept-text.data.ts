/** What was typed and not sent: it stays in this tab until it is sent, or the tab is closed. */
import { useEffect, useState } from 'react'

const PREFIX = 'kettle-contact:'

/** Words by their name, as of `useState`; blank ones are not kept. */
export function useKeptText(name: string): [string, (words: string) => void] {
  const [known, setKnown] = useState({ name, words: '' })
  // Another name: nothing of the one before may be seen.
  const words = known.name === name ? known.words : ''
  useEffect(() => setKnown({ name, words: read(name) }), [name])
  const keep = (next: string) => {
    setKnown({ name, words: next })
    write(name, next)
  }
  return [words, keep]
}

function read(name: string): string {
  try {
    return sessionStorage.getItem(PREFIX + name) ?? ''
  } catch {
    return ''
  }
}

function write(name: string, words: string) {
  try {
    if (words === '') sessionStorage.removeItem(PREFIX + name)
    else sessionStorage.setItem(PREFIX + name, words)
  } catch {
    // A browser that keeps nothing: the form still holds it while it stands.
  }
}
