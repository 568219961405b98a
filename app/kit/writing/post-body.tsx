/** A post's text. app.css styles it, as its tags can't have classes. */
import { useEffect, useRef } from 'react'

/** @param html safe, from the server */
export function PostBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other tables
  useEffect(() => {
    // People can scroll wide content by keys, too.
    for (const wide of body.current?.querySelectorAll<HTMLElement>('pre, table') ?? [])
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
  }, [html])
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the server lets only its own tags through
    <div ref={body} dir="auto" className="post-body" dangerouslySetInnerHTML={{ __html: html }} />
  )
}
