import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type UserConfig } from 'vite'
import { sharedFiles } from './vite.shared-files.ts'

/** A `.server.ts` file in the browser bundle would leak what only the server may know: stop the build. */
const noServerCodeInTheBrowser: Plugin = {
  name: 'no-server-code-in-the-browser',
  load(id) {
    if (this.environment?.name === 'client' && /\.server\.tsx?(\?|$)/.test(id))
      this.error(`${id} is server code and must not reach the browser`)
  },
}

/** Which file a screen stands in is asked by the server only; in the first load it weighs 0.5 kB. */
const lessSitemapInTheBrowser: Plugin = {
  name: 'less-sitemap-in-the-browser',
  enforce: 'pre',
  transform(code, id) {
    if (this.environment?.name === 'client' && /app\/sitemap\.ts$/.test(id))
      return { code: code.replaceAll(/^\s*module: '[^']*',$/gm, ''), map: null }
  },
}

/**
 * Lazy files bring no styles of their own and preload nothing: what the build tool wraps each `import()`
 * into for that (0.6 kB gzip in the first load) has nothing to do.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined,
}

const EVERY_PAGE =
  /node_modules\/(react|react-dom|scheduler|wouter)\/|rolldown.runtime|use-sync-external-store\/(?!.*with-selector)|app\/ui\/(cx|use-click-guard|score)\.tsx?$|icons\/(messages-square|message-circle|chevron-right|chevron-left|play)\.|app\/main\.client\.tsx$/

const SCREEN = /\.screen\.tsx$|(company-threads|company-ratings|about-tab|company-jobs)\.tsx$/

/** @param shared files of modules that several screens load, where they are known */
const forBrowsers = (shared: ReturnType<typeof sharedFiles> = []): UserConfig => ({
  plugins: [
    react(),
    tailwindcss(),
    noServerCodeInTheBrowser,
    lessSitemapInTheBrowser,
    plainImports,
  ],
  // React has long had what this shim is for.
  resolve: {
    alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }],
  },
  build: {
    outDir: 'dist/client',
    target: 'es2022',
    manifest: true,
    // Without the lists of what each lazy file imports: they would stand in the first load
    // (1.5 kB gzip), and hovering over a link fetches ahead anyway.
    modulePreload: { polyfill: false, resolveDependencies: () => [] },
    assetsInlineLimit: 0,
    rollupOptions: {
      input: 'app/main.client.tsx',
      output: {
        codeSplitting: {
          groups: [
            // What every page loads comes in one file: in six they weigh 0.9 kB gzip more.
            { name: 'main', test: EVERY_PAGE },
            ...shared,
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  publicDir: 'app/ui/public',
  server: { host: '127.0.0.1' },
})

const forTheServer: UserConfig = {
  plugins: [react(), tailwindcss()],
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
        admin: 'app/commands/admin.server.ts',
        backup: 'app/commands/backup.server.ts',
        counters: 'app/commands/counters.server.ts',
        doctor: 'app/commands/doctor.server.ts',
        import: 'app/commands/import.server.ts',
        'pglite-worker': 'app/server/pglite-worker.server.ts',
      },
      // All in one folder: where the project lies is told from where the code lies.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  publicDir: 'app/ui/public',
  // Of a thousand icons a few dozen are used: bundled, the others never reach the memory.
  ssr: { noExternal: ['lucide'] },
}

export default defineConfig(async ({ command, isSsrBuild }) => {
  if (command === 'serve') return { ...forBrowsers(), ssr: forTheServer.ssr }
  if (isSsrBuild) return forTheServer
  // Once only to see which screens share what: two seconds.
  const trial = forBrowsers()
  const { output } = (await build({
    ...trial,
    configFile: false,
    logLevel: 'error',
    build: { ...trial.build, write: false },
  })) as { output: Parameters<typeof sharedFiles>[0] }
  return forBrowsers(sharedFiles(output, SCREEN))
})
