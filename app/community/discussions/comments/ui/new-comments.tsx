/** Tells of comments that came while the thread was open, and brings them when asked. */
import { useEffect, useRef, useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { useDebounced } from '#app/kit/ui/use-debounced.ts'
import { usePageHidden } from '#app/kit/ui/use-page-hidden.ts'

/** Who leaves sooner is spared the connection. */
const STAYED_MS = 2_500
const OWN_ANSWER_MS = 600
/** An answer that is an error, as of a proxy before a server that restarts, ends a stream for good. */
const FIRST_WAIT_MS = 5_000
const LAST_WAIT_MS = 300_000

/**
 * Listens while the page is looked at; a hidden tab costs nothing, and hears what it missed when it
 * is looked at again.
 */
export function NewComments({ threadId, known, onShow }: NewCommentsProps) {
  // One's own comment is told of here before its own answer comes: give that a moment.
  const told = useDebounced(useCommentCount(threadId), OWN_ANSWER_MS)
  const fresh = told === undefined ? 0 : told - known
  const isFirst = useRef(true)
  useEffect(() => {
    if (told === undefined || !isFirst.current) return
    isFirst.current = false
    // The page lay in a cache since before something was taken away, and shows it still.
    if (told < known) onShow()
  }, [told, known, onShow])
  return (
    // Here before there is anything to say, so that it is said.
    <div role="status" className="sticky top-20 z-10 flex justify-center">
      {fresh > 0 && (
        <Button size="sm" className="rounded-full shadow-popup" onClick={onShow}>
          {fresh === 1 ? '1 new comment' : `${fresh} new comments`}
        </Button>
      )}
    </div>
  )
}

/** How many comments the server last told of. */
function useCommentCount(threadId: string) {
  const [count, setCount] = useState<number>()
  const isHidden = usePageHidden()
  useEffect(() => {
    if (isHidden) return
    let news: EventSource | undefined
    let again: ReturnType<typeof setTimeout>
    let wait = FIRST_WAIT_MS
    const listen = () => {
      // The browser reconnects by itself, and says then what it heard last.
      news = new EventSource(`/api/v1/threads/${threadId}/live`)
      news.onmessage = ({ data }) => {
        wait = FIRST_WAIT_MS
        setCount((JSON.parse(data) as { comments: number }).comments)
      }
      news.onerror = () => {
        if (news?.readyState !== EventSource.CLOSED) return
        again = setTimeout(listen, wait * (1 + Math.random()))
        wait = Math.min(wait * 2, LAST_WAIT_MS)
      }
    }
    again = setTimeout(listen, STAYED_MS)
    return () => {
      news?.close()
      clearTimeout(again)
    }
  }, [threadId, isHidden])
  return count
}

interface NewCommentsProps {
  threadId: string
  /** How many the page shows or knows of. */
  known: number
  onShow: () => void
}
