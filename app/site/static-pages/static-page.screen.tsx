/**
 * A page of plain text. Its text comes from `texts/` or the operator, and a `.tab.tsx` is a widget
 * in it. Spec §2.17.
 */
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide'
import type { ComponentType, MouseEvent, ReactNode } from 'react'
import { useApi } from '#app/api/client.ts'
import { pageFailure } from '#app/kit/session/page-failure.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { useTrustedHtml } from '#app/kit/ui/trusted.ts'
import { SITE_PAGES } from '../layout/site-pages.ts'
import type { StaticPage as Page, StaticPageContract } from './static-page.contract.ts'
import { firstAddress, staticPageQuery } from './static-page.data.ts'

export default function StaticPageScreen({ Tab: Widget }: { Tab?: ComponentType }) {
  const { siteName, siteUrl, flags } = useSite()
  const path = firstAddress(useAddress().path)
  const title = SITE_PAGES.find(({ href }) => href === path)?.name ?? ''
  const query = useQuery(staticPageQuery(useApi<StaticPageContract>(), path))
  const { data } = query
  const failure = pageFailure(query)
  if (failure) return failure
  return (
    <>
      <title>{`${title} – ${siteName}`}</title>
      {data && <meta name="description" content={data.description} />}
      <link rel="canonical" href={siteUrl + path} />
      <StaticPage title={title} page={data} Widget={Widget}>
        {path === '/about' && flags.enableCompanies && (
          <a href="/companies" className={`${buttonClasses('primary', 'lg')} mt-12`}>
            Browse companies
          </a>
        )}
      </StaticPage>
    </>
  )
}

/** Pages with this many chapters have a table of contents. */
const LONG_PAGE = 6
/** Below the `md` breakpoint of app.css. Spec §2.2. */
const MOBILE = '(width < 768px)'

type Chapter = Page['chapters'][number]

/** Fills the main content. A line of text has about 65 to 70 characters. */
function StaticPage({ title, page, Widget, children }: StaticPageProps) {
  const { effective, changed, lead = '', chapters = [] } = page ?? {}
  const dates = [
    effective && `Effective ${effective}`,
    changed && changed !== effective && `Last changed ${changed}`,
  ].filter(Boolean)
  const isLong = chapters.length >= LONG_PAGE
  return (
    <article
      aria-labelledby="page-title"
      className={cx(
        'mx-auto w-full max-w-6xl flex-1 px-5 pb-24',
        'md:grid md:grid-rows-[auto_1fr] md:gap-x-10 md:pt-16 lg:gap-x-16',
        isLong
          ? 'md:grid-cols-[minmax(0,1fr)_auto] lg:grid-cols-[13rem_minmax(0,1fr)_auto]'
          : 'md:max-w-3xl md:grid-cols-[minmax(0,1fr)_auto]',
      )}
    >
      {/* One bar on phones, two grid cells on wide pages. */}
      <header className="sticky top-header z-10 -mx-5 flex h-14 items-center justify-between gap-3 border-b border-line bg-paper pr-2 pl-5 md:contents">
        <h1
          id="page-title"
          className={cx(
            'font-serif text-xl font-medium tracking-tight text-balance text-ink',
            'md:row-start-1 md:text-5xl md:leading-tight',
            isLong && 'lg:col-start-2',
          )}
        >
          {title}
        </h1>
        <CloseLink
          className={cx(
            'md:sticky md:top-[calc(var(--spacing-header)+1.5rem)] md:col-start-2 md:row-span-2 md:row-start-1 md:self-start',
            isLong && 'lg:col-start-3',
          )}
        />
      </header>
      {isLong && <Contents chapters={chapters} />}
      <div
        className={cx('max-w-[38rem] md:col-start-1 md:row-start-2', isLong && 'lg:col-start-2')}
      >
        {dates.length > 0 && (
          <p className="mt-6 text-sm text-ink-faint md:mt-4">{dates.join(' · ')}</p>
        )}
        {page ? (
          <Html
            html={lead}
            className="mt-6 font-serif text-xl leading-relaxed text-pretty text-ink"
          />
        ) : (
          <Skeleton className="mt-6 h-24" />
        )}
        {chapters.map(({ id, title, blocks }) => (
          <section key={id} aria-labelledby={id} className="mt-12">
            <h2
              id={id}
              className="scroll-mt-14 font-serif text-2xl font-medium tracking-tight text-balance text-ink md:scroll-mt-4"
            >
              {title}
            </h2>
            {blocks.map(({ html }) =>
              html === undefined ? (
                <div key="widget" className="mt-4">
                  {Widget && <Widget />}
                </div>
              ) : (
                <Html key={html} html={html} className={prose} />
              ),
            )}
          </section>
        ))}
        {children}
      </div>
    </article>
  )
}

const Html = ({ html, className }: { html: string; className: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server lets only its own tags through
  <div className={cx('post-body', className)} dangerouslySetInnerHTML={useTrustedHtml(html)} />
)

/** The styles of a chapter's body: paragraphs, lists, small headings, names of keys. */
const prose = cx(
  'mt-4 text-[1.0625rem] leading-7 text-pretty text-ink-soft',
  '[&>*+*]:mt-4 [&>*+h3]:mt-8 [&>h3+*]:mt-2',
  '[&>h3]:font-serif [&>h3]:text-lg [&>h3]:font-medium [&>h3]:text-ink',
  '[&_ul]:list-disc [&_ul]:space-y-2 [&_ul]:pl-5 [&_ol]:list-decimal [&_ol]:space-y-3 [&_ol]:pl-6',
  '[&_li]:pl-1 [&_li]:marker:text-tea [&_strong]:font-semibold [&_strong]:text-ink',
  '[&_code]:rounded-sm [&_code]:bg-sunken [&_code]:px-1 [&_code]:py-0.5 [&_code]:text-[0.875em]',
)

function Contents({ chapters }: { chapters: Chapter[] }) {
  return (
    <nav
      aria-labelledby="contents"
      className="sticky top-[calc(var(--spacing-header)+1.5rem)] row-span-2 row-start-1 hidden max-h-[calc(100dvh-var(--spacing-header)-3rem)] self-start overflow-y-auto lg:col-start-1 lg:block"
    >
      <h2 id="contents" className="text-sm font-semibold text-ink">
        On this page
      </h2>
      <ol className="mt-3 border-l border-line text-sm">
        {chapters.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="-ml-px block border-l border-transparent py-1.5 pl-4 text-ink-soft transition-colors hover:border-tea hover:text-ink"
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Leads home without scripts, and always on wide pages. Spec §2.17. */
function CloseLink({ className }: { className: string }) {
  return (
    <a
      href="/"
      data-guarded
      onClick={goBackOnMobile}
      aria-label="Close"
      data-tooltip="Close"
      className={cx(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-md text-ink-soft',
        'transition-colors duration-150 hover:bg-sunken hover:text-ink',
        className,
      )}
    >
      <Icon of={X} className="size-5" />
    </a>
  )
}

/** On a phone, goes back instead of following the link if the previous page is ours. */
export function goBackOnMobile(event: Pick<MouseEvent, 'preventDefault'>) {
  if (!matchMedia(MOBILE).matches || !canGoBackHere()) return
  event.preventDefault()
  history.back()
}

/** Whether the previous entry of the tab's history is a page of ours. */
function canGoBackHere() {
  // Counts only entries of our origin.
  if ('navigation' in globalThis) return navigation.canGoBack
  // In older browsers, if the path differs from the loaded one, that page is the previous one.
  const [loaded] = performance.getEntriesByType('navigation')
  return loaded !== undefined && new URL(loaded.name).pathname !== location.pathname
}

interface StaticPageProps {
  title: string
  /** Undefined while the page is loading. */
  page: Page | undefined
  /** The widget that the text asks for. */
  Widget?: ComponentType
  /** Shown after the last chapter. */
  children?: ReactNode
}
