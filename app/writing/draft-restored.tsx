/** Above a form that goes on with what was written before, and offers to begin anew. */
import { Button } from '../ui/button.tsx'

/** Mount it with the form: it stands there before it has something to say, so that it is said. */
export function DraftRestored({ isShown, onDiscard }: DraftRestoredProps) {
  return (
    <div role="status" className="contents">
      {isShown && (
        <p className="flex flex-wrap items-center justify-between gap-x-4 rounded-md bg-sunken px-4 py-1 text-sm text-ink-soft">
          Draft restored
          <Button variant="link" size="sm" onClick={onDiscard}>
            Discard
          </Button>
        </p>
      )}
    </div>
  )
}

interface DraftRestoredProps {
  isShown: boolean
  onDiscard: () => void
}
