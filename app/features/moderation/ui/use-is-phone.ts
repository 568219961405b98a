import { useSyncExternalStore } from 'react'

/** Below Tailwind's `md`. */
const PHONE = '(max-width: 47.99rem)'

function follow(look: () => void) {
  const phone = matchMedia(PHONE)
  phone.addEventListener('change', look)
  return () => phone.removeEventListener('change', look)
}

/** Whether cases are a few lines until they are opened: what nobody sees is not made. */
export const useIsPhone = () =>
  useSyncExternalStore(
    follow,
    () => matchMedia(PHONE).matches,
    () => false,
  )
