/** Unsent text, kept in this tab until it's sent or the tab is closed. */
import { useEffect, useState } from 'react'

const PREFIX = 'kettle-contact:'

/** Works like `useState`. Blank text isn't stored. */
export function useKeptText(name: string): [string, (text: string) => void] {
  const [known, setKnown] = useState({ name, text: '' })
  // After a change of name, the former text must not show.
  const text = known.name === name ? known.text : ''
  useEffect(() => setKnown({ name, text: read(name) }), [name])
  const keep = (next: string) => {
    setKnown({ name, text: next })
    write(name, next)
  }
  return [text, keep]
}

function read(name: string): string {
  try {
    return sessionStorage.getItem(PREFIX + name) ?? ''
  } catch {
    return ''
  }
}

function write(name: string, text: string) {
  try {
    if (text === '') sessionStorage.removeItem(PREFIX + name)
    else sessionStorage.setItem(PREFIX + name, text)
  } catch {
    // Without storage, only the open form holds it.
  }
}
