/** Announces comments that arrive while the thread is open, and shows them on request. */
import { useEffect, useRef, useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { useDebounced } from '#app/kit/ui/use-debounced.ts'
import { usePageHidden } from '#app/kit/ui/use-screen.ts'

/** People who leave sooner don't need a connection. */
const STAYED_MS = 2_500
const OWN_ANSWER_MS = 600
/** An error response, such as a proxy's during a restart, ends an EventSource for good. */
const FIRST_WAIT_MS = 5_000
const LAST_WAIT_MS = 300_000

/** Listens only in a visible tab, and catches up when the tab is visible again. */
export function NewComments({ threadId, known, onShow }: NewCommentsProps) {
  // My own comment is announced before its response arrives, so wait for the response.
  const count = useDebounced(useCommentCount(threadId), OWN_ANSWER_MS)
  const fresh = count === undefined ? 0 : count - known
  const isFirst = useRef(true)
  useEffect(() => {
    if (count === undefined || !isFirst.current) return
    isFirst.current = false
    // The page was cached before a deletion.
    if (count < known) onShow()
  }, [count, known, onShow])
  return (
    // A live region must exist before it can announce anything.
    <div role="status" className="sticky top-20 z-10 flex justify-center">
      {fresh > 0 && (
        <Button size="sm" className="rounded-full shadow-popup" onClick={onShow}>
          {fresh === 1 ? '1 new comment' : `${fresh} new comments`}
        </Button>
      )}
    </div>
  )
}

/** How many comments there are, by the latest event. */
function useCommentCount(threadId: string) {
  const [count, setCount] = useState<number>()
  const isHidden = usePageHidden()
  useEffect(() => {
    if (isHidden) return
    let news: EventSource | undefined
    let again: ReturnType<typeof setTimeout>
    let wait = FIRST_WAIT_MS
    const listen = () => {
      // The browser reconnects by itself, and sends the last event's id.
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
  known: number
  onShow: () => void
}
