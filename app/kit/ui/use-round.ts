import { useState } from 'react'

/**
 * A number of its own for each opening of a window, to begin anew with: as the key of its form, or by
 * `onOpening`, which is called in the render that opens it and may set state.
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
