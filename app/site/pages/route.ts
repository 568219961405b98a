/** What a route is: a path, and what stands there. `app/routes.ts` lists them. */
import type { InferDataFromTag, QueryKey } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Flag } from '#app/api/contract.ts'
import type { SiteConfig } from '#app/kit/session/site.contract.ts'
import type { AppClient } from './app-client.ts'

export interface Route<Path extends string = string, Asked extends Queries = Queries> {
  /** `:name` stands for one segment. */
  path: Path
  /** Its file is `app/{screen}.screen.tsx`; its default export is given the path's parameters. */
  screen: string
  /** The part of the screen that an address opens, given to it as `Tab`: its file is `app/{tab}.tab.tsx`. */
  tab?(query: Address['query'], flags: SiteConfig['flags']): string
  flag?: Flag
  /** Where it is a part of two parts of the site. */
  otherFlag?: Flag
  /** What it shows is somebody's own: the server renders a frame, and the scripts come at once. */
  isFrame?: true
  /** What must be known before the screen can be rendered, by names of its own. */
  data?(api: AppClient, address: Address<Path>, flags: SiteConfig['flags']): Asked
  /** What can only be asked for once `data` is here; the page does without when it does not come. */
  more?(
    api: AppClient,
    address: Address<Path>,
    answers: Outputs<Asked>,
    flags: SiteConfig['flags'],
  ): Query[]
  /** Where else the page stands, if not here. */
  redirect?(address: Address<Path>, answers: Outputs<Asked>): string | undefined
}

/** Types `more` and `redirect` by what `data` asks for. */
export const route = <const Path extends string, Asked extends Queries = Record<never, Query>>(
  it: Route<Path, Asked>,
) => it

/** Path and query of an address; on the server the query that page-key.server.ts reads. */
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

/** Query options of TanStack Query, of a single answer or of pages. */
export interface Query {
  queryKey: QueryKey
}
export type Queries = Record<string, Query | undefined>

/** What the queries answer, by the same names. */
export type Outputs<Asked extends Queries> = { [Name in keyof Asked]: Output<Asked[Name]> }
type Output<It> = It extends Query ? InferDataFromTag<unknown, It['queryKey']> : undefined

/** The parameters of a path that fits the route's, else undefined. */
export function paramsOf({ path: pattern }: Route, path: string) {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, segment] of wanted.entries()) {
    const value = given[i] ?? ''
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

/** What a route's address shows, as the build's manifest names it: a screen, and a tab where it has some. */
export function modulesOf({ screen, tab }: Route, opened: Opened): string[] {
  const file = tab?.(opened.query, opened.flags)
  return [`app/${screen}.screen.tsx`, ...(file ? [`app/${file}.tab.tsx`] : [])]
}

interface Opened {
  query: Address['query']
  flags: SiteConfig['flags']
}

/** The components of a route's address, undefined where their code is not here. */
export const loadedScreen = (route: Route, opened: Opened) =>
  modulesOf(route, opened).map((file) => loaded.get(file))

export const loadScreen = (route: Route, opened: Opened) =>
  Promise.all(modulesOf(route, opened).map(load))

/** All that any address shows. */
export const loadScreens = () =>
  Promise.all(Object.keys(MODULES).map((file) => load(file.slice(1))))

async function load(file: string) {
  const fetched = MODULES[`/${file}`]
  if (!fetched) throw new Error(`There is no ${file}`)
  const component = loaded.get(file) ?? (await fetched())
  loaded.set(file, component)
}
