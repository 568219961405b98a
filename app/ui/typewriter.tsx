/** Text that types itself. Spec §2.5, §9. */

import { useEffect, useState } from 'react'

/** Spec §9. The cursor's 500 ms blink is `--animate-blink` in app.css. */
export const TYPE_MS = 30

/**
 * The whole text is in the page from the start – server HTML, screen readers and the layout see
 * it at once – and only becomes visible letter by letter. It is visible at once without
 * JavaScript and under reduced motion, and in any case after a moment if scripts fail to come.
 */
export function Typewriter({ text }: { text: string }) {
  const [typed, setTyped] = useState({ text, length: 0 })
  const length = typed.text === text ? typed.length : 0

  useEffect(() => {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const startedAt = performance.now()
    if (isStill) {
      setTyped({ text, length: text.length })
      return
    }
    const clock = setInterval(() => {
      const due = Math.min(text.length, Math.floor((performance.now() - startedAt) / TYPE_MS))
      setTyped({ text, length: due })
      if (due === text.length) clearInterval(clock)
    }, TYPE_MS)
    return () => clearInterval(clock)
  }, [text])

  return (
    <>
      {/* The cursor is a shadow: what had a place of its own would move with each letter, a layout shift. */}
      <span className="animate-blink shadow-[0.05em_0_var(--color-paper),0.095em_0_var(--color-tea)] no-js:shadow-none motion-reduce:shadow-none">
        {text.slice(0, length)}
      </span>
      {length < text.length && (
        <span className="js:animate-reveal-late motion-reduce:animate-none">
          {text.slice(length)}
        </span>
      )}
    </>
  )
}
