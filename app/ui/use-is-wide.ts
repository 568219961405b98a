import { useEffect, useState } from 'react'

/** Tailwind's `lg`. */
const WIDE = '(min-width: 64rem)'

/** Whether a preview has room beside its form: what nobody sees is not made. */
export function useIsWide() {
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    const wide = matchMedia(WIDE)
    const look = () => setWide(wide.matches)
    look()
    wide.addEventListener('change', look)
    return () => wide.removeEventListener('change', look)
  }, [])
  return isWide
}
