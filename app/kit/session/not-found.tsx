/** Shown for addresses that lead nowhere (Spec §2.17) or to something no longer shown. */
import type { ReactNode } from 'react'
import { buttonClasses } from '../ui/button.tsx'
import { LogoMark, OwnLogo } from '../ui/icon.tsx'
import { useSite } from './site.tsx'

export function MissingPage({ sentence }: { sentence?: string }) {
  return sentence ? <Gone sentence={sentence} /> : <NotFound />
}

const HOME: Way = ['/', 'Return to Home']

export function NotFound({ children }: { children?: ReactNode }) {
  return (
    <Instead
      title="Page not found"
      heading="404"
      look="text-8xl md:text-9xl"
      sentence="Oops! We couldn't find the page you're looking for."
      way={HOME}
    >
      {children}
    </Instead>
  )
}

/** Replaces what moderators removed or hold. `sentence` is the server's refusal. */
export function Gone({ sentence }: { sentence: string }) {
  const { flags } = useSite()
  return (
    <Instead
      title="Not shown"
      heading="Not shown"
      look="text-4xl md:text-5xl"
      sentence={sentence}
      way={flags.enableDiscussions ? ['/discussions', 'Back to Discussions'] : HOME}
    />
  )
}

type Way = [href: string, words: string]

function Instead(it: {
  title: string
  heading: string
  look: string
  sentence: string
  way: Way
  children?: ReactNode
}) {
  const { siteName, logo } = useSite()
  const [href, words] = it.way
  return (
    <>
      <title>{`${it.title} – ${siteName}`}</title>
      <meta name="description" content="There’s no page at this address." />
      <meta name="robots" content="noindex" />
      <div className="mx-auto mt-[8svh] grid max-w-md justify-items-center px-5 py-20 text-center">
        {logo ? (
          <OwnLogo logo={logo} alt="" className="h-16 max-w-60" />
        ) : (
          <LogoMark className="size-20 text-line-strong" />
        )}
        <h1
          className={`mt-6 font-serif leading-none font-medium tracking-tight text-ink ${it.look}`}
        >
          {it.heading}
        </h1>
        <p className="mt-5 text-lg leading-relaxed text-balance text-ink-soft">{it.sentence}</p>
        <a href={href} className={`${buttonClasses('primary', 'lg')} mt-9`}>
          {words}
        </a>
        {it.children}
      </div>
    </>
  )
}
