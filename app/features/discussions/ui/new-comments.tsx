/** Tells of comments that came while the thread was open, and brings them when asked. */
import { useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { usePageHidden } from '../../../ui/use-page-hidden.ts'

const OWN_ANSWER_MS = 600

/**
 * Listens while the page is looked at; a hidden tab costs nothing, and hears what it missed when it
 * is looked at again.
 */
export function NewComments({ threadId, known, onShow }: NewCommentsProps) {
  // One's own comment is told of here before its own answer comes: give that a moment.
  const told = useDebounced(useCommentCount(threadId), OWN_ANSWER_MS)
  const fresh = told === undefined ? 0 : told - known
  return (
    <div role="status" className="sticky top-20 z-10 flex justify-center empty:hidden">
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
    // The browser reconnects by itself, and says then what it heard last.
    const news = new EventSource(`/api/v1/threads/${threadId}/live`)
    news.onmessage = ({ data }) => setCount((JSON.parse(data) as { comments: number }).comments)
    return () => news.close()
  }, [threadId, isHidden])
  return count
}

interface NewCommentsProps {
  threadId: string
  /** How many the page shows or knows of. */
  known: number
  onShow: () => void
}
