import { useState } from 'react'

/**
 * A new number for each opening of a dialog. Use it as the key of its form, or set state in `onOpening`, which runs in
 * the render that opens it.
 */
export function useRound(open: boolean, onOpening?: () => void): number {
  const [round, setRound] = useState(0)
  const [wasOpen, setWasOpen] = useState(open)
  if (wasOpen !== open) {
    setWasOpen(open)
    if (open) {
      setRound(round + 1)
      onOpening?.()
    }
  }
  return round
}
