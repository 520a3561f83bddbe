// A browser reads no index for the search from a file, so the page says how the search works.
if (location.protocol === "file:") {
  const note = document.createElement("p");
  note.className = "from-file";
  note.append("The search needs a server: run ");
  const command = document.createElement("code");
  command.textContent = "python -m http.server";
  note.append(command, " in the folder of the site, and open http://localhost:8000.");
  document.querySelector(".md-container").prepend(note);
}
