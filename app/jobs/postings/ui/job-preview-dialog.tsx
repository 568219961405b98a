/** The preview on narrow screens, where it doesn't fit beside the form. */
import { Button } from '#app/kit/ui/button.tsx'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { JobPreview, type JobPreviewProps } from './job-preview.tsx'

export function JobPreviewDialog({ open, onOpenChange, ...preview }: OpenProps & JobPreviewProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="lg"
      title="Preview"
      description="This is how the page will look."
      footer={
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          Back to the form
        </Button>
      }
    >
      <JobPreview {...preview} />
    </Dialog>
  )
}
