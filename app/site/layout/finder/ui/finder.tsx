/** Search for companies, discussions, jobs, pages and actions. Load it with `lazyDialog`. */
import { useRef, useState } from 'react'
import { RequestDialog } from '#app/companies/requests/ui/lazy-request-dialog.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { FinderBox } from './finder-box.tsx'

export function Finder({ open, onOpenChange }: OpenProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isRequestOpen, setRequestOpen] = useState(false)
  const [companyName, setCompanyName] = useState('')
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        width="md"
        title="Find anything"
        initialFocus={input}
      >
        <FinderBox
          ref={input}
          onClose={() => onOpenChange(false)}
          onRequest={(text) => {
            setCompanyName(text)
            setRequestOpen(true)
          }}
        />
      </Dialog>
      <RequestDialog open={isRequestOpen} onOpenChange={setRequestOpen} companyName={companyName} />
    </>
  )
}
