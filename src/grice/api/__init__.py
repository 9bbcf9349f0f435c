"""The service: a project's runs, suites and prompts over HTTP, for programs. It needs `grice[web]`.

`app.make_app` makes the application of a `Service` (what is served: the project, its settings, its database,
its journals), `server.ApiServer` serves it on the loopback address, `guard.Guard` stands before every route
(Host, Origin, token, limits), and `routes/` has a module for each subject. Adding one:

    # routes/notes.py
    router = APIRouter(prefix="/api", tags=["notes"], responses=ERRORS)

    @router.get("/notes/{note_id}", dependencies=[READ])
    def note(note_id: str, service: Served) -> NoteBody:
        '''Give a note.'''  # the documentation shows this
        with service.reading() as connection:
            found = note_of(connection, note_id)
        if found is None:
            raise ApiError(404, f"there is no note {note_id!r}")
        return NoteBody(...)

and its name in `app.ROUTERS`, and an example of each route in `examples`, which a test asks for. The rules:
each route names the role that it needs, READ, RUN or EDIT (a test refuses one without); bodies are classes
below `bodies.Body`, which gives the JSON names; problems are `ApiError`, with `fields` for what is wrong with
a body; a plain `def` runs in a thread, which is what work with the database needs; `service.reading()` reads
journals first, and `service.writing(caller, what)` keeps who changed what. Ids of conversations, cases and
suites have slashes in them: `{conversation_id:path}`. A route decides nothing: it calls a plain function of a
lower floor.
"""
