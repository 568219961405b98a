/** Asks before a run replaces a text that somebody changed. Load it with `lazyDialog`. */
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/lazy-component.tsx'

export function RunAgainDialog({ open, onOpenChange, onRun }: OpenProps & { onRun: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Run the scraper again?"
      description="You changed the results and did not import them. New results take their place."
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            Keep my changes
          </Button>
          <Button onClick={onRun}>Run again</Button>
        </>
      }
    />
  )
}
