/** For administrators: upload a logo, or find one on the company's site. S19. */
import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { responseError, useApi } from '#app/api/client.ts'
import { FormError } from '#app/kit/forms/form.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { fetchAsMe } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { CompanyPageView } from '../../company.contract.ts'
import type { EditContract } from '../../edits/edit-company.contract.ts'
import { invalidateEdits } from '../../edits/edit-company.data.ts'
import { LOGO_FILE_MAX, LOGO_REFUSALS, LOGO_TYPES } from '../logo.ts'

/** How often, and how far apart, the page checks for the fetched logo. */
const LOOKS = 6
const LOOK_MS = 3_000

export function LogoButtons({ company: { id, website, logoUrl } }: { company: CompanyPageView }) {
  const api = useApi<EditContract>()
  const { fetchesLogos } = useSite()
  const queryClient = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isLooking, startLooking] = useWaitFor(logoUrl)

  const upload = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    // Lets people choose the same file again.
    target.value = ''
    if (!file) return
    if (file.size > LOGO_FILE_MAX) return setProblem(LOGO_REFUSALS.tooLarge)
    setProblem(undefined)
    setBusy(true)
    try {
      await sendLogo(id, file)
      toast({ title: 'Logo saved' })
      await invalidateEdits(queryClient)
    } catch (error) {
      setProblem(errorSentence(error))
    }
    setBusy(false)
  }
  const fetchIt = async () => {
    setProblem(undefined)
    try {
      await api('POST /api/v1/companies/{id}/logo-fetch', { params: { id } })
      startLooking()
    } catch (error) {
      setProblem(errorSentence(error))
    }
  }
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap gap-3">
        <input
          ref={input}
          type="file"
          accept={LOGO_TYPES.join()}
          aria-label="Logo file"
          className="sr-only"
          tabIndex={-1}
          onChange={upload}
        />
        <Button
          size="sm"
          variant="secondary"
          busy={isBusy}
          busyLabel="Uploading..."
          onClick={() => input.current?.click()}
        >
          Upload a picture
        </Button>
        {fetchesLogos && (
          <Button
            size="sm"
            variant="secondary"
            busy={isLooking === 'looking'}
            busyLabel="Looking..."
            disabled={!website}
            onClick={fetchIt}
          >
            Find on its website
          </Button>
        )}
      </div>
      <p className="text-sm leading-6 text-ink-faint">
        PNG, JPEG, WebP, AVIF, GIF, BMP or ICO, up to 2 MB. It appears right away.
      </p>
      <p role="status" className="text-sm leading-6 text-ink-soft empty:-mt-3">
        {isLooking === 'nothing' && 'No new logo yet. The site might not have one.'}
        {isLooking === 'found' && 'Found a new logo.'}
      </p>
      <FormError>{problem}</FormError>
    </div>
  )
}

/** Refetches the company until its logo changes. */
function useWaitFor(logoUrl: string | null) {
  const queryClient = useQueryClient()
  const [before, setBefore] = useState<{ logoUrl: string | null; looks: number }>()
  const hasCome = before !== undefined && before.logoUrl !== logoUrl
  const isOver = before !== undefined && before.looks >= LOOKS
  useEffect(() => {
    if (!before || hasCome || isOver) return
    const timer = setTimeout(() => {
      invalidateEdits(queryClient)
      setBefore({ ...before, looks: before.looks + 1 })
    }, LOOK_MS)
    return () => clearTimeout(timer)
  }, [before, hasCome, isOver, queryClient])
  const state = hasCome ? 'found' : isOver ? 'nothing' : before && 'looking'
  return [state, () => setBefore({ logoUrl, looks: 0 })] as const
}

/** @throws ApiError */
async function sendLogo(companyId: string, file: File) {
  const response = await fetchAsMe(`/api/v1/companies/${companyId}/logo`, {
    method: 'POST',
    headers: { 'content-type': /^image\//.test(file.type) ? file.type : 'image/unknown' },
    body: file,
  })
  if (!response.ok) throw await responseError(response)
}
