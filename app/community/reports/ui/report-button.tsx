import { Flag } from 'lucide'
import { useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { Post } from '../report.data.ts'
import { ReportDialog } from './lazy-report-dialog.ts'

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
