import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

/** Stops the build if a `.server.ts` file ends up in the browser's bundle, which could leak secrets. */
const noServerCodeInTheBrowser: Plugin = {
  name: 'no-server-code-in-the-browser',
  load(id) {
    if (this.environment?.name === 'client' && /\.server\.tsx?(\?|$)/.test(id))
      this.error(`${id} is server code and must not reach the browser`)
  },
}

/**
 * Modules that twenty screens or tabs import go into one file, those that four do into another. Later imports don't count.
 */
function sharedFile(id: string, graph: ModuleGraph) {
  // The static pages need nothing else from that file.
  if (id.endsWith('/page-failure.tsx')) return null
  const screens = new Set<string>()
  const importers = new Set([id])
  for (const importer of importers) {
    if (/\.(screen|tab)\.tsx$/.test(importer)) screens.add(importer)
    for (const next of graph.getModuleInfo(importer)?.importers ?? []) importers.add(next)
  }
  if (screens.size >= 20) return 'common'
  return screens.size >= 4 ? 'shared' : null
}

interface ModuleGraph {
  getModuleInfo(id: string): { importers: string[] } | null
}

/** The server renders screens once, so there's nothing to watch or keep. */
const answersOnTheServer: Plugin = {
  name: 'answers-on-the-server',
  enforce: 'pre',
  resolveId(id) {
    if (id === '@tanstack/react-query' && this.environment.name !== 'client')
      return fileURLToPath(new URL('app/site/pages/server-queries.server.ts', import.meta.url))
    return undefined
  },
}

const forBrowsers: UserConfig = {
  plugins: [react(), tailwindcss(), noServerCodeInTheBrowser, answersOnTheServer],
  build: {
    outDir: 'dist/client',
    target: 'es2022',
    manifest: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      input: ['app/main.client.tsx', 'app/kit/ui/first-script.js'],
      // One file for what every page needs, one for the icons, and one for what many screens share. Otherwise there'd be
      // seventy, each a request with 0.8 kB of headers. What only few screens share stays separate, because it would add 25
      // kB to every page.
      output: {
        codeSplitting: {
          groups: [
            { name: 'always', tags: ['$initial'], test: (id) => !id.includes('first-script') },
            { name: 'icons', test: /lucide/ },
            { name: sharedFile },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  publicDir: 'app/kit/ui/public',
  server: { host: '127.0.0.1' },
}

const forTheServer: UserConfig = {
  plugins: [react(), tailwindcss(), answersOnTheServer],
  build: {
    outDir: 'dist/server',
    copyPublicDir: false,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rollupOptions: {
      input: {
        start: 'app/main.start.server.ts',
        server: 'app/main.server.ts',
        render: 'app/site/pages/render.server.tsx',
        admin: 'app/commands/admin.server.ts',
        backup: 'app/commands/backup.server.ts',
        counters: 'app/commands/counters.server.ts',
        doctor: 'app/commands/doctor.server.ts',
        import: 'app/commands/import.server.ts',
        'credential-worker': 'app/api/credential/pool-worker.server.ts',
      },
      // All files in one folder, because the code finds the project's folder relative to its own.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  publicDir: 'app/kit/ui/public',
  // Bundled to keep unused icons out of memory: we use a few dozen of a thousand.
  ssr: { noExternal: ['lucide'] },
}

export default defineConfig(({ command, isSsrBuild }) => {
  // While developing, only what's in this list goes through our plugin.
  if (command === 'serve')
    return { ...forBrowsers, ssr: { noExternal: ['lucide', '@tanstack/react-query'] } }
  return isSsrBuild ? forTheServer : forBrowsers
})
