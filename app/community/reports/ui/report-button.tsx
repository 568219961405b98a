import { Flag } from 'lucide'
import { useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import type { Post } from '../report.data.ts'

export const ReportDialog = lazyDialog(() =>
  import('./report-dialog.tsx').then((it) => it.ReportDialog),
)

export function ReportButton({ post, className }: { post: Post; className?: string }) {
  const [isReporting, setReporting] = useState(false)
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className={className}
        icon={<Icon of={Flag} />}
        {...ReportDialog.preload}
        onClick={() => setReporting(true)}
      >
        Report
        <span className="sr-only">{` this ${post.kind}`}</span>
      </Button>
      <ReportDialog open={isReporting} onOpenChange={setReporting} post={post} />
    </>
  )
}
