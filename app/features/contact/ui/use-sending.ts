/** The id of a sending: the same while the same words are sent again, and another for other words. */
import { useRef } from 'react'
import { newSending } from '../../../forms/idempotency-key.ts'

export function useSending(): (words: string[]) => string {
  const last = useRef({ words: '', sending: '' })
  return (words) => {
    const text = JSON.stringify(words)
    if (last.current.words !== text) last.current = { words: text, sending: newSending() }
    return last.current.sending
  }
}
