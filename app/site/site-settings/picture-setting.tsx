/** Uploads one of the site's pictures, or goes back to ours. */
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { postPicture } from '#app/companies/logos/logo.data.ts'
import { PICTURE_HINT, PictureButton } from '#app/companies/logos/ui/picture-button.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { LogoMark, OwnLogo } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { type PictureName, pictureIn, settingOf } from './site-setting.ts'
import type { Setting, SiteSettingsContract } from './site-settings.contract.ts'
import { siteSettingsQuery } from './site-settings.data.ts'

interface PictureSettingProps {
  name: PictureName
  setting: Setting
}

export function PictureSetting({ name, setting: { text, changedOn } }: PictureSettingProps) {
  const api = useApi<SiteSettingsContract>()
  const queryClient = useQueryClient()
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const { label, hint } = settingOf(name)
  const saved = async () => {
    await queryClient.invalidateQueries(siteSettingsQuery(api))
    toast({
      id: 'setting',
      title: `${label} saved`,
      description: 'Pages that you open from now on have it.',
    })
  }
  const back = useForm({
    send: async () => {
      const params = { name }
      await api('PUT /api/v1/administration/settings/{name}', { params, body: { text: null } })
      setProblem(undefined)
      await saved()
    },
  })
  const upload = async (file: File) => {
    await postPicture(`/api/v1/administration/settings/${name}/picture`, file)
    await saved()
  }
  const picture = pictureIn(name, text)
  return (
    <fieldset aria-labelledby={id} className="grid min-w-0 gap-3">
      <p id={id} className="text-sm font-medium text-ink">
        {label}
      </p>
      <FormError>{problem ?? back.errors.form}</FormError>
      {name === 'sharePicture' ? (
        <img
          src={picture?.path ?? '/share.png'}
          alt=""
          width={1200}
          height={630}
          className="w-full max-w-80 rounded-md border border-line"
        />
      ) : picture ? (
        <OwnLogo logo={picture} alt="" className="h-12 max-w-full justify-self-start" />
      ) : (
        <LogoMark className="size-12 text-ink" />
      )}
      <div className="flex flex-wrap gap-2">
        <PictureButton
          label={`${label} file`}
          describedBy={id}
          send={upload}
          onProblem={setProblem}
        />
        {changedOn && (
          <form {...back.form}>
            <Button
              type="submit"
              variant="ghost"
              size="sm"
              aria-describedby={id}
              busy={back.isBusy}
              busyLabel="Saving..."
            >
              Reset to ours
            </Button>
          </form>
        )}
      </div>
      <p className="text-sm text-ink-faint">
        {hint} {PICTURE_HINT}
        {changedOn && ` Changed on ${dateText(changedOn)}.`}
      </p>
    </fieldset>
  )
}
