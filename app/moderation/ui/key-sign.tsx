/** Repeats for the eye which key does the same. */
import { KeyCap } from '#app/kit/ui/key-cap.tsx'

export function KeySign({ name }: { name: string | undefined }) {
  if (!name) return null
  return (
    <span aria-hidden="true" className="max-md:hidden">
      <KeyCap>{name}</KeyCap>
    </span>
  )
}
