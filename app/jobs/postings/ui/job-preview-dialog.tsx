/** The preview of a job where there is no room beside its form. Load it with `lazyDialog`. */
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
      description="As its page will show it."
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
