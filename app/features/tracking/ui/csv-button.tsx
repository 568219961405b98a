/** Saves what is shown as a file for a spreadsheet. */
import { Download } from 'lucide'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { saveCsv } from '../analytics.data.ts'

export function CsvButton({ name }: { name: 'analytics' | 'clicks' }) {
  const [isBusy, setBusy] = useState(false)
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={<Icon of={Download} />}
      aria-disabled={isBusy || undefined}
      onClick={async () => {
        if (isBusy) return
        setBusy(true)
        await saveCsv(name)
        setBusy(false)
      }}
    >
      Download CSV
    </Button>
  )
}
