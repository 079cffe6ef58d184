/** The texts for agents outside of the page. */

export const webmcp = {
  notOffered: "This call did not run: the page no longer offers the tools of this editor.",
  cancelled: "This call was cancelled.",
  another: (name: string, suffix: string) =>
    `For another document of this page, whose tools all end in ${suffix}: what texts and results call ${name} is ` +
    `${name}${suffix} here.`,
  refused: (reason: string) =>
    `The browser does not let this page register tools (${reason}). In a frame, allow it: <iframe allow="tools">; ` +
    "otherwise check the page's Permissions-Policy and that it is served over HTTPS.",
};
