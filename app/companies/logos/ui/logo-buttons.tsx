/** For administrators: upload a logo, or find one on the company's site. S19. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError } from '#app/kit/forms/form.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { CompanyPageView } from '../../company.contract.ts'
import type { EditContract } from '../../edits/edit-company.contract.ts'
import { invalidateEdits } from '../../edits/edit-company.data.ts'
import { postPicture } from '../logo.data.ts'
import { PICTURE_HINT, PictureButton } from './picture-button.tsx'

/** How often, and how far apart, the page checks for the fetched logo. */
const LOOKS = 6
const LOOK_MS = 3_000

export function LogoButtons({ company: { id, website, logoUrl } }: { company: CompanyPageView }) {
  const api = useApi<EditContract>()
  const { hasLogoSearch } = useSite()
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const [isLooking, startLooking] = useWaitFor(logoUrl)

  const upload = async (file: File) => {
    await postPicture(`/api/v1/companies/${id}/logo`, file)
    toast({ title: 'Logo saved' })
    await invalidateEdits(queryClient)
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
        <PictureButton label="Logo file" send={upload} onProblem={setProblem} />
        {hasLogoSearch && (
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
      <p className="text-sm leading-6 text-ink-faint">{PICTURE_HINT} It appears right away.</p>
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
