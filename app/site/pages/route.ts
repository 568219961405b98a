/** A route: a path and its screen. `app/routes.ts` lists them. */
import type { InferDataFromTag, QueryKey } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import type { Flag } from '#app/platform/operations/flags.ts'
import type { AppClient } from './app-client.ts'

export interface Route<Path extends string = string, Asked extends Queries = Queries> {
  /** `:name` matches one segment. */
  path: Path
  /** File `app/{screen}.screen.tsx`. Its default export receives the path's parameters. */
  screen: string
  /** The tab a URL opens, passed to the screen as `Tab`. File `app/{tab}.tab.tsx`. */
  tab?(query: Address['query'], flags: SiteConfig['flags']): string
  flag?: Flag
  /** Set if the page belongs to two areas of the site. */
  otherFlag?: Flag
  /** Set for personal content. The server renders only a frame, and scripts load immediately. */
  isFrame?: true
  /** Queries that must finish before rendering. */
  data?(api: AppClient, address: Address<Path>, flags: SiteConfig['flags']): Asked
  /** Queries that need `data` first. The page renders without them if they fail. */
  more?(
    api: AppClient,
    address: Address<Path>,
    answers: Outputs<Asked>,
    flags: SiteConfig['flags'],
  ): Query[]
  /** Where to redirect, if elsewhere. */
  redirect?(address: Address<Path>, answers: Outputs<Asked>): string | undefined
}

/** Types `more` and `redirect` by the results of `data`. */
export const route = <const Path extends string, Asked extends Queries = Record<never, Query>>(
  it: Route<Path, Asked>,
) => it

/** Path and query. On the server, page-key.server.ts parses the query. */
export interface Address<Path extends string = string> {
  path: string
  params: Record<ParamsOf<Path>, string>
  query: Record<string, string | undefined>
}

export const queryOf = (search: string): Address['query'] =>
  Object.fromEntries(new URLSearchParams(search))

type ParamsOf<Path extends string> = string extends Path
  ? string
  : Path extends `${string}:${infer Name}/${infer Rest}`
    ? Name | ParamsOf<`/${Rest}`>
    : Path extends `${string}:${infer Name}`
      ? Name
      : never

/** TanStack Query options, single or infinite. */
export interface Query {
  queryKey: QueryKey
}
export type Queries = Record<string, Query | undefined>

export type Outputs<Asked extends Queries> = { [Name in keyof Asked]: Output<Asked[Name]> }
type Output<It> = It extends Query ? InferDataFromTag<unknown, It['queryKey']> : undefined

/** The path's parameters, or undefined if it doesn't match. */
export function paramsOf({ path: pattern }: Route, path: string) {
  const wanted = pattern.split('/')
  const segments = path.split('/')
  if (wanted.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, segment] of wanted.entries()) {
    const value = segments[i] ?? ''
    if (segment.startsWith(':')) {
      if (value === '') return undefined
      try {
        params[segment.slice(1)] = decodeURIComponent(value)
      } catch {
        return undefined
      }
    } else if (segment !== value) return undefined
  }
  return params
}

type Screen = ComponentType<{ Tab?: unknown }>

const MODULES = import.meta.glob<Screen>('/app/*/**/*.{screen,tab}.tsx', {
  import: 'default',
})
const loaded = new Map<string, Screen>()

/** A route's modules, as the manifest names them: its screen, and the tab if any. */
export function modulesOf({ screen, tab }: Route, opened: Opened): string[] {
  const file = tab?.(opened.query, opened.flags)
  return [`app/${screen}.screen.tsx`, ...(file ? [`app/${file}.tab.tsx`] : [])]
}

interface Opened {
  query: Address['query']
  flags: SiteConfig['flags']
}

/** A route's components, undefined if not loaded. */
export const loadedScreen = (route: Route, opened: Opened) =>
  modulesOf(route, opened).map((file) => loaded.get(file))

export const loadScreen = (route: Route, opened: Opened) =>
  Promise.all(modulesOf(route, opened).map(load))

export const loadScreens = () =>
  Promise.all(Object.keys(MODULES).map((file) => load(file.slice(1))))

async function load(file: string) {
  const fetched = MODULES[`/${file}`]
  if (!fetched) throw new Error(`There is no ${file}`)
  const component = loaded.get(file) ?? (await fetched())
  loaded.set(file, component)
}
