import { useEffect, useRef } from 'react'

/** Takes the focus, because the previous step is gone. */
export function StepHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h3
      ref={heading}
      tabIndex={-1}
      className="scroll-mt-24 text-base font-semibold text-ink outline-none"
    >
      {children}
    </h3>
  )
}
