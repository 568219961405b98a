/** The company search in the header. Spec §2.3. */
import { Search, X } from 'lucide'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { CompanySearch } from '../../company-page/ui/company-search.tsx'

/**
 * A box where there is room for one. From 768 to 1023 px a button opens it over the header; going to
 * another page closes it.
 */
export function HeaderSearch({ path }: { path: string }) {
  const [openAt, setOpenAt] = useState<string>()
  const isOpen = openAt === path
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) box.current?.querySelector('input')?.focus()
  }, [isOpen])
  const close = () => {
    setOpenAt(undefined)
    button.current?.focus()
  }
  return (
    <>
      <CompanySearch className="hidden w-full max-w-sm lg:block" />
      <IconButton
        ref={button}
        label="Search for a company"
        aria-expanded={isOpen}
        className="max-md:hidden lg:hidden no-js:hidden"
        onClick={() => setOpenAt(path)}
      >
        <Icon of={Search} />
      </IconButton>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: only hears the Escape that the box has no use for
        <div
          ref={box}
          onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && close()}
          className="absolute inset-0 z-10 flex items-center gap-2 bg-paper px-5 max-md:hidden lg:hidden"
        >
          <CompanySearch className="min-w-0 flex-1" />
          <IconButton label="Close the search" onClick={close}>
            <Icon of={X} />
          </IconButton>
        </div>
      )}
    </>
  )
}
