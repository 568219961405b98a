/** What administrators set: the site's name, texts and addresses. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { Invitations } from '#app/identity/accounts/sign-up/ui/invitations.tsx'
import { closeAndFocus, FormError, useForm } from '#app/kit/forms/form.tsx'
import { NeedsFactor } from '#app/kit/session/awaited-factor.ts'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { SettingsSection } from '#app/kit/session/settings.tsx'
import { PageHead } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Options, Select, TextArea, TextField } from '#app/kit/ui/field.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { EmptyState, LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { lengthOf, shortened } from '#app/kit/writing/text.ts'
import { AccentPreview } from './accent-preview.tsx'
import { PictureSetting } from './picture-setting.tsx'
import {
  fixedSentence,
  isPictureName,
  pageOf,
  SETTING_GROUPS,
  type SettingName,
  settingOf,
  settingProblem,
  shownText,
  tidySetting,
} from './site-setting.ts'
import type { Setting, SiteSettingsContract } from './site-settings.contract.ts'
import { siteSettingQuery, siteSettingsQuery } from './site-settings.data.ts'

export default function SiteSettingsScreen() {
  return (
    <>
      <PageHead title="Site settings" text="The name, texts and addresses of this site." />
      <MembersOnly
        title="Site settings"
        text="These are for the administrators of this site. Log in if you are one."
      >
        {({ can, needsSecondFactor }) => {
          if (needsSecondFactor) return <NeedsFactor />
          return can.includes('openAdminPanel') ? <SiteSettings /> : <NotForYou />
        }}
      </MembersOnly>
    </>
  )
}

const NotForYou = () => (
  <EmptyState
    isHeading
    className="mt-[8svh]"
    title="Only administrators see this page"
    text="They set the site’s name, texts and addresses here."
  />
)

function SiteSettings() {
  const query = useQuery(siteSettingsQuery(useApi<SiteSettingsContract>()))
  const settings = query.data?.settings
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        Site settings
      </h1>
      <p className="mt-2 max-w-prose text-ink-soft">
        Changes apply right away, everywhere. The audit log keeps who changed what.
      </p>
      {query.isError && !settings && (
        <LoadErrorLine text="The settings didn’t load." onRetry={query.refetch} />
      )}
      <div className="mt-8 grid gap-10">
        {SETTING_GROUPS.map(({ id, title, text, names, pages = [] }) => (
          <SettingsSection key={id} id={id} title={title} text={text}>
            <ul className="grid gap-7">
              {names.map((name) => {
                const setting = settings?.find((it) => it.name === name)
                return (
                  <li key={name}>
                    {setting ? (
                      isPictureName(name) ? (
                        <PictureSetting name={name} setting={setting} />
                      ) : (
                        <SettingForm setting={setting} />
                      )
                    ) : (
                      <Skeleton className="h-16 w-full" />
                    )}
                  </li>
                )
              })}
              {pages.map((name) => (
                <li key={name}>
                  <PageSetting name={name} />
                </li>
              ))}
            </ul>
            {id === 'sign-up' && (
              <div className="mt-7 border-t border-line pt-6">
                <Invitations />
              </div>
            )}
          </SettingsSection>
        ))}
      </div>
    </div>
  )
}

/** A page's text is long, so it loads when you edit it. */
function PageSetting({ name }: { name: SettingName }) {
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({
    ...siteSettingQuery(useApi<SiteSettingsContract>(), name),
    enabled: isOpen,
  })
  if (isOpen && query.data) return <SettingForm setting={query.data} />
  const { label } = settingOf(name)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <a href={`/${pageOf(name)}`} className={`${linkClasses} text-sm`}>
        {label}
      </a>
      {query.isError ? (
        <LoadErrorLine text="The text didn’t load." onRetry={query.refetch} />
      ) : (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Edit ${label}`}
          busy={isOpen}
          busyLabel="Loading..."
          onClick={() => setOpen(true)}
        >
          Edit
        </Button>
      )}
    </div>
  )
}

const USUAL_SHOWN = 24

/** Saves one setting. */
function SettingForm({ setting: { name, text, usual, fixedBy, changedOn } }: { setting: Setting }) {
  const api = useApi<SiteSettingsContract>()
  const queryClient = useQueryClient()
  /** Undefined until you type. */
  const [typed, setTyped] = useState<string>()
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const select = useRef<HTMLSelectElement>(null)
  const { label, hint, max, isLong, choices } = settingOf(name)
  const page = pageOf(name)
  const value = typed ?? text
  const save = async (text: string | null) => {
    await api('PUT /api/v1/administration/settings/{name}', { params: { name }, body: { text } })
    await queryClient.invalidateQueries(siteSettingsQuery(api))
    // The pressed button disappears.
    closeAndFocus(
      () => setTyped(undefined),
      () => field.current ?? select.current,
    )
    toast({
      id: 'setting',
      title: `${label} saved`,
      description: 'Pages that you open from now on have it.',
    })
  }
  const { form, errors, isBusy } = useForm<'text'>({
    check: () => ({ text: settingProblem(name, tidySetting(name, value)) }),
    send: () => save(value),
  })
  const back = useForm({ send: () => save(null) })
  const limit = { length: lengthOf(value), max }
  const props = {
    label,
    name,
    hint: (
      <>
        {fixedBy ? fixedSentence(fixedBy) : hint}
        {changedOn && ` Changed on ${dateText(changedOn)}.`}
      </>
    ),
    ref: field,
    value,
    disabled: fixedBy !== null,
    error: errors.text,
    onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
  }
  return (
    <div className="grid gap-3">
      <form {...form} className="grid gap-3">
        <FormError>{errors.form ?? back.errors.form}</FormError>
        {choices ? (
          <Select {...props} ref={select}>
            <Options names={choices} />
          </Select>
        ) : isLong ? (
          <TextArea
            {...props}
            limit={limit}
            rows={page ? 16 : 3}
            className={page && 'max-h-[70svh] font-mono text-sm'}
          />
        ) : (
          <TextField {...props} limit={limit} />
        )}
        {name === 'accent' && <AccentPreview picked={value} onPick={setTyped} />}
        {value !== text && (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={isBusy} busyLabel="Saving...">
              Save
            </Button>
            <Button variant="ghost" onClick={() => setTyped(undefined)}>
              Cancel
            </Button>
          </div>
        )}
      </form>
      {value === text && changedOn && (
        <form {...back.form}>
          <Button
            type="submit"
            variant="ghost"
            size="sm"
            className="-ml-3"
            busy={back.isBusy}
            busyLabel="Saving..."
          >
            {page
              ? 'Reset to our text'
              : usual
                ? `Reset to “${shortened(shownText(name, usual), USUAL_SHOWN)}”`
                : 'Clear'}
          </Button>
        </form>
      )}
    </div>
  )
}
