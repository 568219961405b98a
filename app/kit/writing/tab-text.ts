import { useEffect, useState } from 'react'

/** Unsent text, kept in this tab until it's sent or the tab is closed. Works like `useState`. Blank text isn't stored. */
export function useTabText(name: string): [string, (text: string) => void] {
  const [known, setKnown] = useState({ name, text: '' })
  // When the name changes, the former text mustn't show.
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
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

function write(name: string, text: string) {
  try {
    if (text === '') sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    // Without storage, only the open form holds it.
  }
}
