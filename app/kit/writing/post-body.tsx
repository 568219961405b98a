/** The text of a post. Its look stands in app.css, for no class can stand on its tags. */
import { useEffect, useRef } from 'react'

/** @param html safe: the server made it */
export function PostBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other tables
  useEffect(() => {
    // What scrolls sideways can be scrolled by keys too.
    for (const wide of body.current?.querySelectorAll<HTMLElement>('pre, table') ?? [])
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
  }, [html])
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the server lets only its own tags through
    <div ref={body} dir="auto" className="post-body" dangerouslySetInnerHTML={{ __html: html }} />
  )
}
